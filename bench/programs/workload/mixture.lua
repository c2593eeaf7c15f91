-- Work of several kinds for the Lua interpreter; the argument says how much. Prints a checksum a kind.
local scale = tonumber(arg[1])

-- A generator of our own: math.random is seeded differently in each release.
local seed = 42
local function random(n)
  seed = (seed * 48271) % 2147483647
  return seed % n + 1
end

local function queens(n)
  local columns, up, down, found = {}, {}, {}, 0
  local function place(row)
    if row > n then
      found = found + 1
      return
    end
    for column = 1, n do
      if not (columns[column] or up[row + column] or down[row - column + n]) then
        columns[column], up[row + column], down[row - column + n] = true, true, true
        place(row + 1)
        columns[column], up[row + column], down[row - column + n] = nil, nil, nil
      end
    end
  end
  place(1)
  return found
end

local function word_counts(lines)
  local counts, order = {}, {}
  for _ = 1, lines do
    local line = {}
    for _ = 1, 8 do
      line[#line + 1] = string.char(96 + random(26), 96 + random(5)) .. random(9)
    end
    for word in table.concat(line, " "):gmatch("%a+%d") do
      if not counts[word] then
        counts[word] = 0
        order[#order + 1] = word
      end
      counts[word] = counts[word] + 1
    end
  end
  table.sort(order, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  return order[1] .. "=" .. counts[order[1]] .. "/" .. #order
end

local Shape = {}
Shape.__index = Shape
function Shape.new(side) return setmetatable({side = side}, Shape) end
function Shape:area() return self.side * self.side end
local Circle = setmetatable({}, {__index = Shape})
Circle.__index = Circle
function Circle.new(radius) return setmetatable({side = radius}, Circle) end
function Circle:area() return 3 * self.side * self.side end

local function objects(count)
  local sum = 0
  for i = 1, count do
    local shape = i % 3 == 0 and Circle.new(i % 17) or Shape.new(i % 13)
    sum = sum + shape:area()
  end
  return sum
end

local function sieve(limit)
  local composite, primes = {}, 0
  for i = 2, limit do
    if not composite[i] then
      primes = primes + 1
      for j = i * i, limit, i do composite[j] = true end
    end
  end
  return primes
end

local function matrix(n)
  local a, b = {}, {}
  for i = 1, n do
    a[i], b[i] = {}, {}
    for j = 1, n do a[i][j], b[i][j] = random(10), random(10) end
  end
  local trace = 0
  for i = 1, n do
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = sum + a[i][k] * b[k][j] end
      if i == j then trace = trace + sum end
    end
  end
  return trace
end

local function coroutines(count)
  local function producer()
    for i = 1, count do coroutine.yield(i) end
  end
  local sum = 0
  for value in coroutine.wrap(producer) do sum = (sum * 31 + value) % 1000003 end
  return sum
end

local function text(count)
  local parts, failures = {}, 0
  for i = 1, count do
    parts[#parts + 1] = ("%05d:%s"):format(i, ("ab"):rep(i % 7)):gsub("b", "c"):upper()
    if not pcall(error, "x" .. i) then failures = failures + 1 end
  end
  local joined = table.concat(parts, ";")
  return #joined .. "/" .. select(2, joined:gsub("C", "")) .. "/" .. failures
end

print("queens", queens(scale > 1 and 8 or 5))
print("words", word_counts(28 * scale))
print("objects", objects(600 * scale))
print("sieve", sieve(1000 * scale))
print("matrix", matrix(10 + scale // 2))
print("coroutines", coroutines(300 * scale))
print("text", text(80 * scale))
