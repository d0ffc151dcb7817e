import type { Page } from 'playwright-core';

const smallestText = 11;

/** An element in the browser, as far as it is asked here. */
interface Shown {
  readonly tagName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
  readonly parentElement: Shown | null;
  readonly scrollWidth: number;
  readonly clientWidth: number;
  getBoundingClientRect(): {
    readonly left: number;
    readonly right: number;
    readonly width: number;
    readonly height: number;
  };
  getAttribute(name: string): string | null;
  checkVisibility(options: object): boolean;
  matches(selector: string): boolean;
  querySelectorAll(selector: string): Iterable<Shown>;
  /** Of a drawing: its scale on the screen. */
  getScreenCTM?(): { readonly a: number } | null;
}

interface Window {
  readonly innerWidth: number;
  getComputedStyle(of: Shown): { readonly fontSize: string; readonly overflowX: string };
}

/** Text that is too small, controls that are cut off, and a page that is wider than its window. */
export const layoutFaults = (page: Page): Promise<string[]> =>
  page.locator('html').evaluate((root, least: number): string[] => {
    const html = root as unknown as Shown;
    const view = (root as unknown as { ownerDocument: { defaultView: Window } }).ownerDocument.defaultView;
    const named = (one: Shown): string =>
      `${one.tagName.toLowerCase()}.${one.getAttribute('class') ?? ''} "${(one.textContent ?? '').trim().slice(0, 40)}"`;
    const isShown = (one: Shown): boolean => {
      const { width, height } = one.getBoundingClientRect();
      return width > 1 && height > 1 && one.checkVisibility({ visibilityProperty: true });
    };
    const sizeOf = (one: Shown): number =>
      Number.parseFloat(view.getComputedStyle(one).fontSize) * (one.getScreenCTM?.()?.a ?? 1);
    const hasText = (one: Shown): boolean =>
      [...one.childNodes].some((node) => node.nodeType === 3 && (node.textContent ?? '').trim() !== '');
    const small = [...html.querySelectorAll('body *')]
      .filter((one) => hasText(one) && isShown(one) && sizeOf(one) < least - 0.05)
      .map((one) => `text of ${sizeOf(one).toFixed(1)} px in ${named(one)}`);

    // What a container hides cannot be reached; what it scrolls can, if the container can.
    const isCutOff = (control: Shown): boolean => {
      let { left, right } = control.getBoundingClientRect();
      for (let box = control.parentElement; box !== null && box !== html; box = box.parentElement) {
        const overflow = view.getComputedStyle(box).overflowX;
        if (overflow === 'visible') continue;
        const edges = box.getBoundingClientRect();
        if (overflow !== 'auto' && overflow !== 'scroll') {
          if (left < edges.left - 1 || right > edges.right + 1) return true;
        } else ({ left, right } = edges);
      }
      return left < -1 || right > view.innerWidth + 1;
    };
    const isClipped = (control: Shown): boolean =>
      /hidden|clip/.test(view.getComputedStyle(control).overflowX) &&
      control.scrollWidth > control.clientWidth + 1 &&
      !control.matches('input, select, textarea');
    // A link to skip the navigation appears when it has the focus.
    const cut = [...html.querySelectorAll('a[href]:not(.skip), button, input, select, textarea, summary')]
      .filter((control) => isShown(control) && (isCutOff(control) || isClipped(control)))
      .map((control) => `cut off: ${named(control)}`);
    const isWide = html.scrollWidth > view.innerWidth;
    return [...small, ...cut, ...(isWide ? [`the page is ${html.scrollWidth} px wide`] : [])];
  }, smallestText);
