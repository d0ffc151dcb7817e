/** Where archives are kept: files by name, each written at once. */
export interface ArchiveFiles {
  /** As it is recorded; without credentials. */
  readonly location: string;
  /** When it returns, the file is stored whole; an earlier one of that name is replaced. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Undefined if there is none; refuses one that is larger. */
  get(name: string, maxBytes: number): Promise<Buffer | undefined>;
}
