-- A small reader for one line of JSON: objects and arrays become tables, null becomes nil.
-- Escaped characters in strings stay as they are written: what a bot needs has none.
local json = {}
local read

local literals = { ["true"] = true, ["false"] = false }

local function read_object(text, at)
  local object = {}
  at = text:match("^{%s*()", at)
  while text:byte(at) ~= 125 do -- }
    local key, value
    key, at = read(text, at)
    value, at = read(text, text:match("^%s*:%s*()", at))
    object[key] = value
    at = text:match("^%s*,?%s*()", at)
  end
  return object, at + 1
end

local function read_array(text, at)
  local array, count = {}, 0
  at = text:match("^%[%s*()", at)
  while text:byte(at) ~= 93 do -- ]
    count = count + 1
    array[count], at = read(text, at)
    at = text:match("^%s*,?%s*()", at)
  end
  return array, at + 1
end

local function read_string(text, at)
  local from = at + 1
  local found = text:find('["\\]', from)
  while text:byte(found) == 92 do -- \
    found = text:find('["\\]', found + 2)
  end
  return text:sub(from, found - 1), found + 1
end

-- The value that begins there, and the place behind it.
function read(text, at)
  local first = text:sub(at, at)
  if first == "{" then return read_object(text, at) end
  if first == "[" then return read_array(text, at) end
  if first == '"' then return read_string(text, at) end
  local word, behind = text:match("^([%w%.%+%-]+)()", at)
  if literals[word] ~= nil then return literals[word], behind end
  return tonumber(word), behind
end

function json.decode(text)
  return (read(text, text:match("^%s*()")))
end

return json
