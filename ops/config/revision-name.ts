/** It becomes a part of paths, of commands, of a header and of what is printed. */
export const isRevision = (name: string): boolean => /^[A-Za-z0-9][\w.+-]{0,127}$/.test(name);
