-- Uses the open notebook as a person would, and records the results. Started by neovim.test.ts,
-- after the configuration that docs/editors.md gives. There are no sleeps: the script polls for everything that it awaits
-- and again, and fails if the limit is reached.
local limit = 20000
local out = {}

-- The steps are one coroutine, so that Neovim processes keys while they wait.
local steps
local function await(what, look)
  local latest = vim.loop.now() + limit
  while true do
    local found = look()
    if found then return found end
    if vim.loop.now() > latest then error("no " .. what .. " within " .. limit .. " ms") end
    vim.defer_fn(function() coroutine.resume(steps) end, 20)
    coroutine.yield()
  end
end

local function client()
  local all = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
  return all[1] and all[1].initialized and all[1]
end

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end
local function has(text) return table.concat(lines(), "\n"):find(text, 1, true) ~= nil end

-- Puts the cursor on the character `ahead` of the first occurrence of the text.
local function go(text, ahead)
  for number, line in ipairs(lines()) do
    local at = line:find(text, 1, true)
    if at then return vim.api.nvim_win_set_cursor(0, { number, at - 1 + (ahead or 0) }) end
  end
  error("there is no " .. text)
end

local function position() return vim.lsp.util.make_position_params(0, client().offset_encoding) end

local function ask(method, params)
  local answers = assert(vim.lsp.buf_request_sync(0, method, params, limit), method .. " was not answered")
  for _, answer in pairs(answers) do
    if answer.err then error(method .. ": " .. vim.inspect(answer.err)) end
    return answer.result
  end
  error(method .. " was not answered")
end

local function diagnostics()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    local line = lines()[each.lnum + 1]
    local code = each.code or each.user_data and each.user_data.lsp and each.user_data.lsp.code
    table.insert(found, { code = code, message = each.message, text = line:sub(each.col + 1, each.end_col) })
  end
  return #found > 0 and found
end

local all = {
  function() await("server", client) end,
  function() out.diagnostics = await("diagnostics", diagnostics) end,

  function() -- a quick fix, picked from the list that Neovim shows
    vim.ui.select = function(items, options, choose)
      out.actions = vim.tbl_map(options.format_item, items)
      choose(items[1], 1)
    end
    go('"eth_getBalanc"', 3)
    vim.lsp.buf.code_action()
    await("fixed method", function() return has('"eth_getBalance"') end)
  end,

  function() -- a completion, typed
    go('"la"', 2)
    vim.api.nvim_input("a<C-x><C-o>")
    local shown = await("list of completions", function()
      local items = vim.fn.pumvisible() == 1 and vim.fn.complete_info({ "items" }).items
      return items and #items > 0 and items
    end)
    out.completions = vim.tbl_map(function(item) return item.abbr end, shown)
    vim.api.nvim_input("<C-y><Esc>")
    await("end of typing", function() return vim.fn.mode() == "n" end)
    out.completed = vim.api.nvim_get_current_line()
  end,

  function()
    go('"eth_getBalance"', 3)
    out.hover = ask("textDocument/hover", position()).contents.value
    go('"pending"', 3)
    out.signature = ask("textDocument/signatureHelp", position()).signatures[1].label
  end,

  function()
    go("{{alice}}", 3)
    vim.lsp.buf.rename("bob")
    await("new name", function() return has("{{bob}}") and has('"bob":') and not has("alice") end)
  end,

  function() -- the cursor jumps to where the name is declared
    go("{{bob}}", 3)
    out.references = #ask("textDocument/references", vim.tbl_extend("error", position(), { context = { includeDeclaration = true } }))
    vim.lsp.buf.definition()
    await("declaration", function() return vim.api.nvim_get_current_line():find('"bob":', 1, true) end)
    out.declaration = vim.api.nvim_get_current_line()
  end,

  function()
    local document = { textDocument = vim.lsp.util.make_text_document_params() }
    out.symbols = vim.tbl_map(function(symbol) return symbol.name end, ask("textDocument/documentSymbol", document))
    local lenses = ask("textDocument/codeLens", document)
    out.lenses = vim.tbl_map(function(lens) return lens.command.title end, lenses)
    local show = vim.lsp.handlers["window/showMessage"]
    vim.lsp.handlers["window/showMessage"] = function(_, message) out.result = message.message end
    if vim.lsp.codelens.enable then -- the configuration shows them
      await("shown lenses", function() return #vim.lsp.codelens.get({ bufnr = 0 }) == #lenses end)
      vim.ui.select = function(items, options, choose)
        for index, item in ipairs(items) do
          if options.format_item(item):match("^Run %[") then return choose(item, index) end
        end
        error("no lens to run among " .. vim.inspect(vim.tbl_map(options.format_item, items)))
      end
      go('"eth_getBalance"')
      vim.lsp.codelens.run()
    else
      for _, lens in ipairs(lenses) do
        if lens.command.title == "Run" then
          ask("workspace/executeCommand", { command = lens.command.command, arguments = lens.command.arguments })
          break
        end
      end
    end
    await("result", function() return out.result end)
    vim.lsp.handlers["window/showMessage"] = show
  end,

  function()
    if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = limit }) else vim.lsp.buf.formatting_sync(nil, limit) end
    vim.cmd("write")
  end,

  function() -- nothing is left behind that is wrong
    await("clean bill", function() return not diagnostics() end)
    out.encoding = client().offset_encoding
  end,
}

steps = coroutine.create(function()
  for number, step in ipairs(all) do
    local ok, why = pcall(step)
    if not ok then
      out.failed = "step " .. number .. ": " .. tostring(why) .. "\n" .. table.concat(lines(), "\n")
      out.failed = out.failed .. "\n" .. vim.inspect(diagnostics())
      break
    end
  end
  out.messages = vim.fn.execute("messages")
  vim.fn.writefile({ vim.json.encode(out) }, vim.env.RPC_TEST_OUT)
  vim.cmd("qall!")
end)
coroutine.resume(steps)
