/** The records of a CSV text, by the names in its first line; a quoted field may hold commas, quotes and line ends. */
export function csvRecords(text: string): readonly ReadonlyMap<string, string>[] {
  const [names = [], ...rows] = csvRows(text);
  return rows.map((row) => new Map(row.map((value, column) => [names[column] ?? '', value])));
}

function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at < text.length;) {
    const { value, end } = text[at] === '"' ? quotedField(text, at + 1) : plainField(text, at);
    row.push(value);
    if (text[end] !== ',') {
      rows.push(row);
      row = [];
    }
    at = end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

interface Field {
  readonly value: string;
  /** The position of the comma or line end after it. */
  readonly end: number;
}

const fieldEnd = /[,\n]/g;

function plainField(text: string, start: number): Field {
  fieldEnd.lastIndex = start;
  const end = fieldEnd.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end };
}

function quotedField(text: string, start: number): Field {
  const parts: string[] = [];
  for (let from = start; ;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) return { value: text.slice(start), end: text.length };
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: plainField(text, quote + 1).end };
    from = quote + 2;
  }
}
