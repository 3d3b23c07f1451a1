// Compares the module with what the same code answered natively (crates/wasm/examples/golden.rs): every
// search and every call of whole games, text by text. It runs in Node.js and in a browser.

/** Compares all lines; throws at the first difference, or if there are too few. Returns what was compared. */
export function compare(module, network, lines) {
  const searcher = new module.Searcher(network, 16)
  const counts = { searches: 0, games: 0, calls: 0, reviews: 0 }
  for (const line of lines) {
    if (line.kind === 'search') {
      same(searcher.search_nodes(line.position, line.nodes), line.answer, line.position)
      counts.searches += 1
    } else if (line.kind === 'review') {
      review(module, network, line)
      counts.reviews += 1
    } else if (line.kind === 'options') {
      same(module.options(), line.answer, 'options')
    } else {
      counts.calls += playGame(module, searcher, line)
      counts.games += 1
    }
  }
  const { searches, games, calls, reviews } = counts
  if (searches < 1_000 || games < 12 || reviews < 2) throw new Error(`too little to compare: ${JSON.stringify(counts)}`)
  return `${searches} searches, ${reviews} reviews and ${calls} calls of ${games} games`
}

function review(module, network, { record, answer }) {
  const reviewer = new module.Reviewer(network, record, 'quick')
  while (reviewer.step());
  same(reviewer.review(), answer, 'review')
}

function playGame(module, searcher, { rules, create, calls }) {
  const [body, id, random, now] = create
  const game = module.LocalGame.create(body, id, new Uint8Array(random), now)
  for (const [name, args, result] of calls) {
    const answer = name === 'search' ? searcher.search(...args) : game[name](...args)
    same(answer, result, `${rules}: ${name}`)
  }
  return calls.length
}

/** The times of searches in milliseconds, each the best of three. */
export function times(module, network, searches) {
  const searcher = new module.Searcher(network, 16)
  return searches.map(({ position, nodes }) => {
    const tries = [0, 1, 2].map(() => {
      const start = performance.now()
      searcher.search_nodes(position, nodes)
      return performance.now() - start
    })
    return Math.min(...tries)
  })
}

function same(found, expected, where) {
  if (found !== expected) throw new Error(`${where}\nmodule: ${found}\nnative: ${expected}`)
}
