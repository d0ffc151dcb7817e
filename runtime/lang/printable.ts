/** Text for a terminal: line breaks and tabs stay; anything else that could move the cursor, set colors or change the text direction is escaped. */
export const printable = (text: string): string => text.replaceAll(commands, escaped);

/** The same on one line. */
export const printableLine = (text: string): string => text.replaceAll(commandsAndLines, escaped);

// As in JSON, so that a line of JSON stays the same value.
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const commands = /(?![\n\t])[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
const commandsAndLines = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu;
