type Attributes = Readonly<Record<string, string | boolean | undefined | EventListener>>;
type Child = Node | string | undefined;

/** Creates an element; text is always text, never markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  ...children: readonly (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice('on'.length), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined));
  return element;
}

/** An element that the page is known to contain. */
export const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;
