// The row under the board: steps through the line, flip, and a field for typed moves.

import { h } from './dom.js';

/** @typedef {'start' | 'back' | 'forward' | 'end'} Way */

/** @type {[Way, string, string][]} */
const STEPS = [
  ['start', '⏮', 'Start (Home)'],
  ['back', '◀', 'Back (left arrow)'],
  ['forward', '▶', 'Forward (right arrow)'],
  ['end', '⏭', 'End (End key)'],
];

/**
 * @param {{step: (way: Way) => void, flip: () => void, enter: (text: string) => boolean}} options
 */
export function controls({ step, flip, enter }) {
  const field = h('input', { class: 'move-field', 'aria-label': 'Type a move, as e4 or Nf3', placeholder: 'type a move', autocomplete: 'off', spellcheck: 'false' });
  const form = h('form', { class: 'move-form' }, field);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const played = enter(field.value);
    field.setAttribute('aria-invalid', String(!played));
    if (played) field.value = '';
  });
  field.addEventListener('input', () => field.removeAttribute('aria-invalid'));
  const element = h(
    'div',
    { class: 'controls', role: 'toolbar', 'aria-label': 'Moves' },
    ...STEPS.map(([way, sign, label]) => h('button', { type: 'button', 'aria-label': label, title: label, click: () => step(way) }, h('span', { 'aria-hidden': 'true' }, `${sign}\ufe0e`))),
    h('button', { type: 'button', 'aria-label': 'Flip the board (f)', title: 'Flip the board (f)', click: flip }, h('span', { 'aria-hidden': 'true' }, '⇅')),
    form,
  );
  return { element, field };
}
