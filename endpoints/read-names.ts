/** What a perspective's route is called where names are needed: in GraphQL and in clients. */
export interface ReadNames {
  /** `orders` of `/orders`. */
  readonly list: string;
  /** `order` of `/orders`; of a route that is no plural, `auditLogById`. */
  readonly one: string;
}

/** Undefined when no name can be made of the route, such as `/2026`. */
export function readNamesOf(route: string): ReadNames | undefined {
  const words = route.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const list = words.map((word, at) => (at === 0 ? lower(word) : upper(word))).join('');
  if (!/^[a-z]/.test(list)) return undefined;
  const one = singularOf(list);
  return { list, one: one === list ? `${list}ById` : one };
}

/** The first letter of type names. */
export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

const endings: readonly (readonly [plural: RegExp, single: string])[] = [
  [/(?:news|series|species|ss|us|is)$/i, ''],
  [/(?<=mov|cook)ies$/i, 'ie'],
  [/ies$/, 'y'],
  [/(?<=ss|sh|ch|x|zz)es$/, ''],
  [/(?<=.)s$/, ''],
];

/** The regular plurals of English; any other word is returned as it is. */
function singularOf(word: string): string {
  const ending = endings.find(([plural]) => plural.test(word));
  if (ending === undefined || ending === endings[0]) return word;
  return word.replace(...ending);
}
