/** Filters under a name. */
export interface SavedView {
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
}

const maxViews = 20;

/** The views that a browser kept; what is not a view is left out. */
export function savedViewsIn(text: string | null): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(0, maxViews) : [];
  } catch {
    return [];
  }
}

/** A view of the same name is replaced, the oldest is dropped. */
export const withView = (views: readonly SavedView[], view: SavedView): readonly SavedView[] =>
  [...views.filter(({ name }) => name !== view.name), view].slice(-maxViews);

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false;
  const { name, filters } = value as Partial<Record<keyof SavedView, unknown>>;
  return (
    typeof name === 'string' &&
    typeof filters === 'object' &&
    filters !== null &&
    Object.values(filters).every((one) => typeof one === 'string')
  );
}
