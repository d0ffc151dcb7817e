/** The storage of a browser. */
interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, text: string): void;
}

/** A text that a browser keeps; one that blocks or has filled its storage forgets it with the page. */
export class KeptText {
  constructor(
    private readonly key: string,
    private readonly storage: () => Kept,
  ) {}

  read(): string | null {
    try {
      return this.storage().getItem(this.key);
    } catch {
      return null;
    }
  }

  keep(text: string): void {
    try {
      this.storage().setItem(this.key, text);
    } catch {
      // The page works on without it.
    }
  }
}
