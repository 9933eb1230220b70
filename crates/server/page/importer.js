// Files dropped on the page, or chosen, go into the database.

import { byId, count, h, words } from './dom.js';
import { post } from './api.js';
import { toast } from './toast.js';

/** @typedef {{read: number, written: number, refused: number}} Imported */

export class Importer {
  #veil = h('div', { class: 'veil', hidden: true }, h('p', {}, 'Drop files to add their games'));

  /** @param {() => void} done hears that games were added */
  constructor(done) {
    this.done = done;
    const files = h('input', { type: 'file', multiple: true, id: 'add-files', class: 'hidden-input' });
    files.addEventListener('change', () =>
      this.#add([...(files.files ?? [])]).then(() => (files.value = '')),
    );
    byId('add').append(files, h('label', { for: 'add-files', class: 'button' }, 'Add games'));
    document.body.append(this.#veil);
    const carries = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files');
    addEventListener('dragover', (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      this.#veil.hidden = false;
    });
    addEventListener('dragleave', (event) => {
      if (!event.relatedTarget) this.#veil.hidden = true;
    });
    addEventListener('drop', (event) => {
      if (!carries(event)) return;
      event.preventDefault();
      this.#veil.hidden = true;
      this.#add([...(event.dataTransfer?.files ?? [])]);
    });
  }

  /** @param {File[]} files */
  async #add(files) {
    for (const file of files) {
      toast(`Adding ${file.name} …`, { passes: false });
      try {
        const { written, refused } = /** @type {Imported} */ (
          await post('/api/import', { name: file.name }, file)
        );
        toast(
          `${file.name}: ${count(written)} ${written === 1 ? 'game' : 'games'} added${refused ? `, ${count(refused)} refused` : ''}`,
        );
        this.done();
      } catch (error) {
        toast(`${file.name}: ${words(error)}`);
      }
    }
  }
}
