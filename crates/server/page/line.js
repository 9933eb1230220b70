// A tree of moves, and places in it. A place is written "12" (after twelve moves) or "12.0.3" (after three moves of the
// first line that could have been played instead of the twelfth).

/** @typedef {import('./api.js').GameNode} GameNode */
/** @typedef {{fen: string, nodes: GameNode[]}} Line */
/** @typedef {{prefix: string, nodes: GameNode[], index: number, trail: GameNode[]}} Place */

/**
 * The place that a path names; one that the line does not have is cut off where the line ends.
 * @param {Line} line
 * @param {string} path
 * @returns {Place}
 */
export function locate(line, path) {
  const parts = path.split('.').map(Number);
  let place = {
    prefix: '',
    nodes: line.nodes,
    index: Math.min(parts[0], line.nodes.length),
    trail: line.nodes.slice(0, parts[0]),
  };
  for (let part = 1; part + 1 < parts.length; part += 2) {
    const variation = place.nodes[place.index - 1]?.variations?.[parts[part]];
    if (!variation) break;
    const index = Math.min(Math.max(parts[part + 1], 1), variation.length);
    place = {
      prefix: `${place.prefix}${place.index}.${parts[part]}.`,
      nodes: variation,
      index,
      trail: [...place.trail.slice(0, -1), ...variation.slice(0, index)],
    };
  }
  return place;
}

/** @param {Place} place */
export const pathOf = (place) => place.prefix + place.index;

/** @param {Place} place */
export const nodeAt = (place) => place.trail.at(-1) ?? null;

/**
 * @param {Line} line
 * @param {Place} place
 */
export const fenAt = (line, place) => nodeAt(place)?.fen ?? line.fen;

/** @param {Place} place */
export const forward = (place) =>
  place.index < place.nodes.length ? `${place.prefix}${place.index + 1}` : null;

/** @param {Place} place */
export function backward(place) {
  if (place.index > 1 || (place.index === 1 && !place.prefix)) return `${place.prefix}${place.index - 1}`;
  const parent = place.prefix.match(/^(.*?)(\d+)\.\d+\.$/);
  return parent ? `${parent[1]}${Number(parent[2]) - 1}` : null;
}

/** @param {Place} place */
export const lineEnd = (place) => `${place.prefix}${place.nodes.length}`;

/**
 * The place after a move, if the line or one of its variations goes there.
 * @param {Place} place
 * @param {string} uci
 */
export function follow(place, uci) {
  const next = place.nodes[place.index];
  if (!next) return null;
  const step = `${place.prefix}${place.index + 1}`;
  if (next.uci === uci) return step;
  const variation = next.variations?.findIndex((nodes) => nodes[0]?.uci === uci) ?? -1;
  return variation < 0 ? null : `${step}.${variation}.1`;
}
