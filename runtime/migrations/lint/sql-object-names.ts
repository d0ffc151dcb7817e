import type { Node, RangeVar } from 'libpg-query';

/** One name for one table: `orders` and `public.orders` are the same. */
export const tableName = (relation: RangeVar | undefined): string =>
  nameOf([relation?.schemaname, relation?.relname]);

/** The name of an object that is dropped or created. */
export function objectName(node: Node): string {
  if ('List' in node) return nameOf((node.List.items ?? []).map(textOf));
  if ('TypeName' in node) return nameOf((node.TypeName.names ?? []).map(textOf));
  if ('ObjectWithArgs' in node) return nameOf((node.ObjectWithArgs.objname ?? []).map(textOf));
  return nameOf([textOf(node)]);
}

export const namesOf = (nodes: readonly Node[] | undefined): string => nameOf((nodes ?? []).map(textOf));

const textOf = (node: Node): string | undefined => ('String' in node ? node.String.sval : undefined);

const nameOf = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== 'public').join('.');
