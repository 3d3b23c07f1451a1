// The game that the home page shows: the engine against itself, 60,000 nodes for each move.

export const RECORD = `[Azulejo "1"]
[Rules "2c"]
[First "1"]
[Seed "11-1"]

round 1 BRRK-YYWW-BBBW-YRRW-RKKW
3B3 2W3 0Y2 4W3 1K5 5K4 0W4 0R5 0Y1 0B1
round 2 BRKW-YYRR-BBKK-YRKW-BYRK
3K5 2Y2 0B2 1K4 0R3 5K4 4W4 0WF 0K5 0R1 0B1 0Y5
round 3 BYWW-BYWW-BYKW-BBYK-YRRK
5K5 0R2 3W4 4Y1 1W2 2W4 0Y3 0K3 0BF
round 4 BRWW-BYKW-BYKW-YWWW-YRKK
4W4 1W3 2K3 0W3 0B2 0Y4 5Y5 0K2 3K1 0Y4 0RF 0W1 0BF
round 5 BKKW-YRKK-BYRK-BYRR-BYRR
2R1 3K2 1WF 4B3 5R2 0K2 0B5 0Y4 0RF
end row 40-29
`
/** Where it starts: in the second round, when the walls are no longer empty. */
export const FIRST_STEP = 13
