-- Neovim 0.11 or later: copy it to lsp/seqlint.lua in your configuration (~/.config/nvim), and write `vim.lsp.enable("seqlint")` in
-- init.lua. It runs together with the other servers of a buffer.

-- Shows the page of a rule in a vertical split; a page that is open is shown there again.
local function show_page(code, page)
  local name = "seqlint://" .. code
  local buffer = vim.fn.bufadd(name)
  vim.fn.bufload(buffer)
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(page, "\n"))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = "markdown"
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd("vertical sbuffer " .. buffer)
  else
    vim.api.nvim_set_current_win(window)
  end
end

local function explain(command, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  client:request("workspace/executeCommand", { command = command.command, arguments = command.arguments }, function(problem, page)
    if problem ~= nil then
      vim.notify("seqlint: " .. problem.message, vim.log.levels.ERROR)
    elseif page ~= nil and page ~= "" then
      show_page(command.arguments[1], page)
    end
  end, context.bufnr)
end

return {
  cmd = { "seqlint", "server" },
  filetypes = { "python" },
  root_markers = { "seqlint.toml", "pyproject.toml", "requirements.txt", ".git" },
  -- The server answers `explain` with the page, and leaves it to `commands` to show it. `K` shows nothing of a finding but the hover.
  init_options = { showsPages = true, hoverAlone = true },
  commands = { ["seqlint.explain"] = explain },
  -- docs/editors/settings.md lists them: settings = { seqlint = { keras = ">=3.10" } },
}
