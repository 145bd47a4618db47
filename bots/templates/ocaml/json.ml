(* A small reader for one line of JSON. A value is the part of the line where it stands, empty
   where there is none. What is not asked for is skipped whole, so that a key in a string or in a
   nested object is never taken for another. *)

let is line at char = at < String.length line && line.[at] = char

let rec blanks line at =
  if at < String.length line && line.[at] <= ' ' then blanks line (at + 1) else at

let rec after_string line at =
  if at >= String.length line then String.length line
  else if line.[at] = '\\' then after_string line (at + 2)
  else if line.[at] = '"' then at + 1
  else after_string line (at + 1)

let rec after_value line at depth =
  if at >= String.length line then String.length line
  else
    match line.[at] with
    | ',' | ':' | ' ' | '\t' | '\r' | '\n' | ']' | '}' when depth = 0 -> at
    | '"' -> after_value line (after_string line (at + 1)) depth
    | '{' | '[' -> after_value line (at + 1) (depth + 1)
    | '}' | ']' -> after_value line (at + 1) (depth - 1)
    | _ -> after_value line (at + 1) depth

(* The value that begins there, and the place behind it and the comma or colon that follows. *)
let take line at =
  let behind = after_value line at 0 in
  let next = blanks line behind in
  let next = if is line next ',' || is line next ':' then blanks line (next + 1) else next in
  (String.sub line at (behind - at), next)

(* A string's text, as it stands there. *)
let text value =
  if String.length value < 2 then "" else String.sub value 1 (String.length value - 2)

(* The value of a key of an object. *)
let get value key =
  let rec find at =
    if not (is value at '"') then ""
    else
      let name, at = take value at in
      let found, at = take value at in
      if text name = key then found else find at
  in
  let at = blanks value 0 in
  if is value at '{' then find (blanks value (at + 1)) else ""

(* The values of an array. *)
let elements array =
  let rec collect at found =
    if at >= String.length array || is array at ']' then List.rev found
    else
      let value, at = take array at in
      collect at (value :: found)
  in
  if is array 0 '[' then collect (blanks array 1) [] else []
