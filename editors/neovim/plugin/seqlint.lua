-- Applies the safe fixes of seqlint when a Python file is written. Copy it to plugin/seqlint.lua in your configuration.
local kind = "source.fixAll.seqlint"

local function fix_all(buffer)
  local client = vim.lsp.get_clients({ bufnr = buffer, name = "seqlint" })[1]
  if client == nil then
    return
  end
  local start = { line = 0, character = 0 }
  local answer = client:request_sync("textDocument/codeAction", {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    range = { start = start, ["end"] = start },
    context = { only = { kind }, diagnostics = {} },
  }, 5000, buffer)
  for _, action in ipairs(answer and answer.result or {}) do
    if action.edit == nil then
      local whole = client:request_sync("codeAction/resolve", action, 5000, buffer)
      action = whole and whole.result or action
    end
    if action.edit ~= nil then
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
    end
  end
end

vim.api.nvim_create_autocmd("BufWritePre", {
  pattern = "*.py",
  group = vim.api.nvim_create_augroup("seqlint", {}),
  callback = function(event)
    fix_all(event.buf)
  end,
})
