-- Neovim 0.11 or later: lies as lsp/seqlint.lua in your configuration (~/.config/nvim), and `vim.lsp.enable("seqlint")` in init.lua
-- switches it on. It runs beside the other servers of a buffer.
return {
  cmd = { "seqlint", "server" },
  filetypes = { "python" },
  root_markers = { "seqlint.toml", "pyproject.toml", "requirements.txt", ".git" },
  -- docs/editors/settings.md lists them: settings = { seqlint = { keras = ">=3.10" } },
}
