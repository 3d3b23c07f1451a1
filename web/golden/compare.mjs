// Compares the module with what the same code answered natively (crates/wasm/examples/golden.rs): every
// search and every call of whole games, text by text. It runs in Node.js and in a browser.

/** Compares all lines; throws at the first difference. Returns counts and the speed compared with native. */
export function compare(module, network, lines) {
  let searcher = new module.Searcher(network, 16)
  const counts = { searches: 0, games: 0, calls: 0, speed: [], reviews: [] }
  for (const line of lines) {
    if (line.kind === 'speed') {
      counts.speed = line.searches.map((search) => speed(searcher, search))
      searcher = new module.Searcher(network, 16)
    } else if (line.kind === 'search') {
      same(searcher.search_nodes(line.position, line.nodes), line.answer, line.position)
      counts.searches += 1
    } else if (line.kind === 'review') {
      counts.reviews.push(review(module, network, line))
    } else if (line.kind === 'options') {
      same(module.options(), line.answer, 'options')
    } else {
      counts.calls += playGame(module, searcher, line)
      counts.games += 1
    }
  }
  return counts
}

/** Reviews a record, and returns the speed compared with native. */
function review(module, network, { record, answer, ms }) {
  const start = performance.now()
  const reviewer = new module.Reviewer(network, record, 'quick')
  while (reviewer.step());
  const time = performance.now() - start
  same(reviewer.review(), answer, 'review')
  return ms / time
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

/** The speed of the module divided by that of the native program, the best of three. */
function speed(searcher, { position, nodes, ms }) {
  const times = [0, 1, 2].map(() => {
    const start = performance.now()
    searcher.search_nodes(position, nodes)
    return performance.now() - start
  })
  return ms / Math.min(...times)
}

function same(found, expected, where) {
  if (found !== expected) throw new Error(`${where}\nmodule: ${found}\nnative: ${expected}`)
}
