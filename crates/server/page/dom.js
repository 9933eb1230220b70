// Elements made by hand. Texts of games go in as text nodes only, never as markup.

/** @typedef {string | number | Node | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * @param {Element} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(
    ...children.flatMap((child) =>
      child == null || child === false ? [] : [child instanceof Node ? child : String(child)],
    ),
  );
}

/**
 * An element of HTML: functions among the attributes listen to the event of that name.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/**
 * An element of SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {Child[]} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[Tag]} */ (document.createElementNS(SVG, tag));
  fill(element, attributes, children);
  return element;
}

/**
 * The element of the page with that id, which index.html has.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * Numbers with the separators of the reader's language.
 * @param {number} value
 */
export const count = (value) => value.toLocaleString();

/**
 * A share as whole percents; what is there is never nothing.
 * @param {number} part
 * @param {number} whole
 */
export function percent(part, whole) {
  if (!whole) return '';
  const rounded = Math.round((100 * part) / whole);
  return part && !rounded ? '<1%' : `${rounded}%`;
}

/**
 * What went wrong, for people.
 * @param {unknown} error
 */
export const words = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Puts new content into an element. Where the focus was in it, it goes to the first link of the new content, so that
 * whoever uses the keyboard keeps his place.
 * @param {Element} element
 * @param {Node[]} children
 */
export function refill(element, ...children) {
  const held = element.contains(document.activeElement);
  element.replaceChildren(...children);
  if (held) element.querySelector('a')?.focus({ preventScroll: true });
}

/** @param {string} text */
export function announce(text) {
  byId('live').textContent = text;
}
