/** Unit files that no worker has taken yet, longest first. */
export class WaitingFiles {
  readonly #files: string[];
  /** Where a worker is. */
  readonly #rooms: string[] = [];

  constructor(files: readonly string[]) {
    this.#files = [...files];
  }

  /**
   * For a worker that has run `last`: the next one of the same room, as it has loaded most of what that needs, such as the
   * compiler; else one of a room where no worker is.
   */
  take(last?: string): string | undefined {
    const room = last === undefined ? undefined : roomOf(last);
    if (room !== undefined) this.#rooms.splice(this.#rooms.indexOf(room), 1);
    const preferred = [
      (file: string) => roomOf(file) === room,
      (file: string) => !this.#rooms.includes(roomOf(file)),
      () => true,
    ];
    const at = preferred.map((isNext) => this.#files.findIndex(isNext)).find((found) => found >= 0);
    const [file] = at === undefined ? [] : this.#files.splice(at, 1);
    if (file !== undefined) this.#rooms.push(roomOf(file));
    return file;
  }
}

/** The first two folders of a path. */
const roomOf = (file: string): string => file.split('/').slice(0, -1).slice(0, 2).join('/');
