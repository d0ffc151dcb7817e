/** Text without the difference of upper and lower case, and of the same length: places in it are places in the text. */
export const foldCase = (text: string): string =>
  // The only letter whose lower case is longer, and the only one whose lower case depends on its neighbors.
  text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
