// First games, lessons that answer, and the daily deal.

export const first = {
  // The offer to a first-time visitor
  'first.title': 'New here?',
  'first.more': 'Play a first game with a guide: it points at good moves and explains what happens. Or learn the rules step by step.',
  'first.play': 'Play a guided first game',
  'first.learn': 'Take the lessons',

  // The guide of the first game
  'guide.take': 'Take all tiles of one color. Try the glowing ones: {move}.',
  'guide.line': 'Put them on one of your lines. A line holds one color; what does not fit falls to the floor and costs points.',
  'guide.center': 'The tiles you left are in the center now. Anyone can take them.',
  'guide.marker': 'The first to take from the center also takes the 1: it costs a point, but you start the next round.',
  'guide.good': 'Fill lines that you have begun, and mind what you leave to others.',
  'guide.move': 'A good move: {move}.',
  'guide.round': 'Your full lines have put tiles on the wall, and were emptied. A tile scores more beside other tiles.',
  'guide.same': 'Lines that are not full stay as they are. Fill them first: their color is fixed.',
  'guide.bonus': 'Think ahead: at the end a full row scores 2, a full column 7, all five tiles of a color 10.',
  'guide.last': 'A row is nearly complete, so this is the last round. Fill what you can and keep the floor empty.',
  'guide.hint': 'You play on your own now. If you are stuck, ask for a hint.',

  // The daily deal
  'daily.title': 'Daily deal',
  'daily.way': 'One deal a day, the same for everyone.',
  'daily.more': 'One game a day, with the same tiles for everyone: you against {name}. No hints and no take-backs. A new deal comes at midnight UTC.',
  'daily.play': 'Play today’s deal',
  'daily.continue': 'Continue today’s deal',
  'daily.next': 'Next deal in {time}.',
  'daily.won': 'Won {score}',
  'daily.lost': 'Lost {score}',
  'daily.tied': 'Tied {score}',
  'daily.open': 'not finished',
  'daily.history': 'My daily deals',
  'daily.none': 'No deals yet. Play today’s, and it will be here.',
  'daily.streak': '{n} day in a row|{n} days in a row',
  'daily.share': 'Share the result',
  'daily.shareMore': 'The text shows no tiles of the deal, so it spoils nothing.',
  'daily.shareTitle': 'Azulejo, daily deal {date}',
  'daily.shareWon': 'I won {score} against {name} (level {level})',
  'daily.shareLost': 'I lost {score} against {name} (level {level})',
  'daily.shareTied': 'I tied {score} with {name} (level {level})',

  // Lessons
  'learn.try': 'Try it',
  'learn.extras': 'Extra lessons',
  'learn.otherPile': 'In a game you could take these. For this lesson, take {tiles} {from}.',
  'learn.otherLine': 'In a game you could put them there. For this lesson, choose {lines}.',
  'why.chooseFirst': 'Choose tiles first: a color in a factory or in the center.',

  // Moves on their way, and what the engine thinks
  'table.unsent': 'Your move is sent as soon as you are connected again',
  'hint.now': 'Hint: {move}',
  'eval.best': 'Best for {name}: {move}',
}
