/** A value that must not appear, and all forms it could appear in. */
export interface Secret {
  readonly text: string;
  readonly forms: readonly string[];
}

/** `core` is the part that identifies the secret; by default all of it. */
export const secretOf = (text: string, core = text): Secret => ({ text, forms: formsOf(core) });

export const isIn = (text: string, { forms }: Secret): boolean => {
  const lower = text.toLowerCase();
  return forms.some((form) => lower.includes(form));
};

/** Case is ignored: it costs no precision with values of this length. */
function formsOf(core: string): readonly string[] {
  const bytes = Buffer.from(core);
  const spaced = [...bytes].map((byte) => `%${byte.toString(16)}`).join('');
  const forms = [core, bytes.toString('hex'), spaced];
  for (let before = 0; before < 3; before++) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    for (const encoding of ['base64', 'base64url'] as const) forms.push(middleOf(padded.toString(encoding)));
  }
  return [...new Set(forms.map((form) => form.toLowerCase()))];
}

/** The first and last characters also encode the neighbors of the value. */
const middleOf = (encoded: string): string => encoded.replace(/=+$/, '').slice(4, -2);
