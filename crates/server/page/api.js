// The server's answers, and how they are asked for.

/** @typedef {{eco: string, name: string}} Opening */
/** @typedef {{uci: string, san: string, fen: string}} LegalMove */
/** @typedef {{fen: string, turn: 'white' | 'black', check: boolean, outcome: string | null, opening: Opening | null, last: {uci: string, san: string} | null, legal: LegalMove[]}} Position */
/** @typedef {{uci: string, san: string, games: number, reached: number, white: number, draws: number, black: number, averageRating: number | null, performance: number | null, lastYear: number | null, opening: Opening | null}} TreeMove */
/** @typedef {{fen: string, opening: Opening | null, white: number, draws: number, black: number, games: number, moves: TreeMove[], legal: LegalMove[]}} Tree */
/** @typedef {{id: number, white: string, black: string, whiteElo: number | null, blackElo: number | null, result: string, date: string, event: string, site: string, round: string, eco: string | null, opening: string | null, plies: number, ply: number | null}} Listed */
/** @typedef {{total: number, games: Listed[]}} Games */
/** @typedef {'green' | 'red' | 'yellow' | 'blue'} Colour */
/** @typedef {{from: string, to: string, colour: Colour}} Arrow */
/** @typedef {{square: string, colour: Colour}} Marked */
/** @typedef {{cp: number} | {mate: number}} Evaluation */
/**
 * A move of a game with all that was written about it.
 * @typedef {object} GameNode
 * @property {number} ply
 * @property {string} uci
 * @property {string} san
 * @property {string} fen the position after it
 * @property {number[]} [nags]
 * @property {string} [before]
 * @property {string} [comment]
 * @property {number | null} [clock] seconds left
 * @property {Evaluation | null} [evaluation]
 * @property {Arrow[]} [arrows]
 * @property {Marked[]} [squares]
 * @property {GameNode[][]} [variations] lines that could have been played instead of it
 */
/** @typedef {{id: number, tags: [string, string][], fen: string, result: string, deleted: boolean, errors: string[], line: GameNode[], comment?: string | null, arrows?: Arrow[], squares?: Marked[]}} Game */
/** @typedef {{name: string, games: number, first: number | null, last: number | null, maxElo: number | null}} PlayerName */
/** @typedef {{games: number, wins: number, draws: number, losses: number}} Score */
/** @typedef {{year: number, games: number, points: number, score: number | null, rating?: number | null}} Year */
/** @typedef {{eco: string, name: string, games: number, score: number | null}} OpeningScore */
/** @typedef {{name: string, games: number, score: number | null}} PlayerScore */
/** @typedef {{name: string, games: number, white: Score, black: Score, years: Year[], openings: {white: OpeningScore[], black: OpeningScore[]}, opponents: PlayerScore[]}} Player */
/** @typedef {{eco: string, name: string, fen: string, games: number, white: number, draws: number, black: number, years: Year[], players: PlayerScore[]}} OpeningPage */
/** @typedef {{name: string, games: number, deleted: number, players?: number, writable: boolean, version: string, formats: {name: string, extension: string}[]}} Info */
/** @typedef {Record<string, string | number | null | undefined>} Parameters */

/**
 * The address of a question; empty parameters are left out.
 * @param {string} path
 * @param {Parameters} [parameters]
 */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value != null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}

/**
 * An answer that is one; refusals become errors with the server's words.
 * @param {string} url
 * @param {RequestInit} [options]
 */
export async function request(url, options) {
  const response = await fetch(url, options);
  if (response.ok) return response;
  const problem = await response.json().catch(() => null);
  throw new Error(problem?.error ?? `the server answers ${response.status}`);
}

/**
 * @param {string} path
 * @param {Parameters} [parameters]
 * @param {AbortSignal} [signal]
 */
export const get = async (path, parameters, signal) =>
  (await request(address(path, parameters), { signal })).json();

/**
 * @param {string} path
 * @param {Parameters} parameters
 * @param {Blob} body
 */
export const post = async (path, parameters, body) =>
  (
    await request(address(path, parameters), {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/octet-stream' },
    })
  ).json();

/** One question at a time: the next one calls off the one before, whose answer nobody waits for any more. */
export class Latest {
  #abort = new AbortController();

  /**
   * Resolves to nothing if another question came in between.
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} question
   * @returns {Promise<T | undefined>}
   */
  async ask(question) {
    this.#abort.abort();
    const { signal } = (this.#abort = new AbortController());
    try {
      const result = await question(signal);
      return signal.aborted ? undefined : result;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  stop() {
    this.#abort.abort();
  }
}

const POSITIONS_KEPT = 400;
/** @type {Map<string, Position>} */
const positions = new Map();

/**
 * The moves and the state of a position, from memory if it was asked for before.
 * @param {Parameters} line the start and the moves from there
 * @param {AbortSignal} [signal]
 * @returns {Promise<Position>}
 */
export async function position(line, signal) {
  const key = address('/api/position', line);
  const known = positions.get(key);
  if (known) return known;
  const answered = /** @type {Position} */ (await get('/api/position', line, signal));
  if (positions.size >= POSITIONS_KEPT) positions.delete(positions.keys().next().value ?? '');
  positions.set(key, answered);
  return answered;
}
