(* @name@, a bot for Kseri Arena: captures if it can, else lays its first card.

   Your own idea goes into `choose`. *)

(* Whether this answer takes the pile. Where it may do so or not, it says which. *)
let captures rules pile answer =
  let rank card = String.sub (Json.text card) 0 1 in
  match (Json.get answer "capture", List.rev pile) with
  | "", [] -> false
  | "", top :: _ ->
      let mine = rank (Json.get answer "card") in
      mine = rank top || (mine = "J" && Json.get rules "jack_captures" <> "false")
  | said, _ -> said = "true"

(* The answer to a turn: one of `legal`, a card with or without `capture`.

   Some of what there is to know, to be read with Json (a card is "7H", "TC": rank, then suit):
     Json.get turn "hand"    your cards
     Json.get turn "pile"    what lies on the table, bottom to top
     Json.get turn "plays"   all plays of this deal: {"seat": 1, "card": "7H", "took": 0}
     Json.get turn "hands"   how many cards each seat holds; "stock": how many are to come
     Json.get turn "scores"  by side, before this deal
     Json.get rules ...      as in `hello`: "capture", "points", ... *)
let choose turn rules =
  let legal = Json.elements (Json.get turn "legal") in
  let pile = Json.elements (Json.get turn "pile") in
  match List.find_opt (captures rules pile) legal with
  | Some answer -> answer
  | None -> List.hd legal

(* An answer of `legal` as it stands there, with the number of its turn. *)
let play turn answer =
  let rest = String.sub answer 1 (String.length answer - 1) in
  Printf.printf "{\"type\":\"play\",\"turn\":%s,%s\n%!" (Json.get turn "turn") rest

(* Answers every `turn`, remembers the rules, reads past everything else. *)
let rec main rules =
  match input_line stdin with
  | exception End_of_file -> ()
  | line -> (
      match Json.get line "type" with
      | "\"hello\"" -> main (Json.get line "rules")
      | "\"turn\"" ->
          play line (choose line rules);
          main rules
      | _ -> main rules)

let () = main ""
