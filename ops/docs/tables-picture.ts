/** The tables that one file makes. */
export interface TableGroup {
  readonly title: string;
  readonly tables: readonly { readonly name: string; readonly key: readonly string[] }[];
}

interface PictureOptions {
  readonly arrows: readonly (readonly [from: string, to: string])[];
  readonly isAccented: (table: string) => boolean;
}

interface Box {
  readonly name: string;
  readonly key: string;
  readonly column: number;
  readonly y: number;
}

interface Frame {
  readonly title: string;
  readonly column: number;
  readonly y: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

const columns = 3;
const frameWidth = 204;
const gutterWidth = 54;
const padding = 10;
const titleHeight = 26;
const boxHeight = 36;
const boxGap = 8;
const frameGap = 16;
const cornerRadius = 5;
/** What fits into a box. */
const keyLength = 32;

/** Draws groups in three columns. Groups that others refer to are in the middle; each line runs through one gutter. */
export function tablesPicture(groups: readonly TableGroup[], { arrows, isAccented }: PictureOptions): string {
  const frames = arrange(groups, arrows);
  const boxes = new Map(frames.flatMap((frame) => frame.boxes.map((box) => [box.name, box])));
  const lines = arrows.flatMap(([from, to]) => {
    const [source, target] = [boxes.get(from), boxes.get(to)];
    return source === undefined || target === undefined ? [] : [{ source, target, gutter: gutterOf(source) }];
  });
  const height = Math.max(...frames.map((frame) => frame.y + frame.height)) + 2;
  const width = columns * frameWidth + (columns - 1) * gutterWidth;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="none" stroke="currentColor" stroke-width="1.2">
<style>svg { color: #1f2328; } .accent { color: #0f6b5c; } @media (prefers-color-scheme: dark) { svg { color: #e6edf3; } .accent { color: #4fd1b5; } }</style>
${[...frames.map((frame) => drawFrame(frame, isAccented)), '<g opacity="0.7">', ...drawLines(lines), '</g>'].join('\n')}
</svg>
`;
}

function arrange(groups: readonly TableGroup[], arrows: PictureOptions['arrows']): readonly Frame[] {
  const groupOf = (table: string) => groups.find(({ tables }) => tables.some(({ name }) => name === table));
  const outer = arrows
    .map(([from, to]) => ({ from: groupOf(from), to: groupOf(to), table: to }))
    .filter(({ from, to }) => from !== to);
  const ends = Array.from({ length: columns }, () => 1);
  const frames: Frame[] = [];
  const place = (group: TableGroup, among: readonly number[]): void => {
    const column = among.toSorted((a, b) => (ends[a] ?? 0) - (ends[b] ?? 0) || a - b)[0] ?? 0;
    const frame = frameOf(group, column, ends[column] ?? 0);
    ends[column] = frame.y + frame.height + frameGap;
    frames.push(frame);
  };
  const inner = groups.filter((group) => outer.some(({ to }) => to === group));
  for (const group of inner) place(group, [1]);
  const boxes = frames.flatMap((frame) => frame.boxes);
  const meanOf = (group: TableGroup): number => {
    const targets = outer.filter(({ from }) => from === group).map(({ table }) => table);
    const ys = boxes.filter(({ name }) => targets.includes(name)).map(({ y }) => y);
    return ys.reduce((sum, y) => sum + y, 0) / ys.length;
  };
  const around = groups.filter((group) => !inner.includes(group));
  const related = around.filter((group) => outer.some(({ from }) => from === group));
  for (const group of related.toSorted((a, b) => meanOf(a) - meanOf(b))) place(group, [0, 2]);
  const others = around.filter((group) => !related.includes(group));
  for (const group of others.toSorted((a, b) => b.tables.length - a.tables.length)) place(group, [0, 1, 2]);
  return frames;
}

function frameOf({ title, tables }: TableGroup, column: number, y: number): Frame {
  const boxes = tables.map(({ name, key }, at) => ({
    name,
    key: keyText(key),
    column,
    y: y + titleHeight + at * (boxHeight + boxGap),
  }));
  return {
    title,
    column,
    y,
    height: titleHeight + tables.length * (boxHeight + boxGap) - boxGap + padding,
    boxes,
  };
}

const keyText = (key: readonly string[]): string => {
  const text = key.join(', ');
  return text.length <= keyLength ? text : `${key.slice(0, 2).join(', ')}, …`;
};

const leftOf = (column: number): number => column * (frameWidth + gutterWidth);

function drawFrame(
  { title, column, y, height, boxes }: Frame,
  isAccented: (table: string) => boolean,
): string {
  const x = leftOf(column);
  return `<rect x="${x + 1}" y="${y}" width="${frameWidth - 2}" height="${height}" rx="10" stroke-dasharray="4 4" opacity="0.55"/>
<text x="${x + padding}" y="${y + 17}" fill="currentColor" stroke="none" opacity="0.75">${title}</text>
${boxes.map((box) => drawBox(box, isAccented(box.name))).join('\n')}`;
}

function drawBox({ name, key, column, y }: Box, isAccented: boolean): string {
  const x = leftOf(column) + padding;
  const middle = x + (frameWidth - 2 * padding) / 2;
  return `<g${isAccented ? ' class="accent"' : ''}><rect x="${x}" y="${y}" width="${frameWidth - 2 * padding}" height="${boxHeight}" rx="7"/>
<text x="${middle}" y="${y + 15}" text-anchor="middle" fill="currentColor" stroke="none" font-size="10.5" font-weight="600">${name}</text>
<text x="${middle}" y="${y + 29}" text-anchor="middle" fill="currentColor" stroke="none" font-size="10" opacity="0.85">${key}</text>
</g>`;
}

interface Line {
  readonly source: Box;
  readonly target: Box;
  readonly gutter: number;
}

const gutterOf = ({ column }: Box): number => (column < columns - 1 ? 0 : 1);

/** Lines to one table share their last part. */
function drawLines(lines: readonly Line[]): readonly string[] {
  return Array.from({ length: columns - 1 }, (_, gutter) => {
    const own = lines.filter((line) => line.gutter === gutter);
    const targets = [...new Set(own.map(({ target }) => target))].toSorted(
      (a, b) => a.column - b.column || a.y - b.y,
    );
    const laneOf = (target: Box): number =>
      leftOf(gutter) + frameWidth + ((targets.indexOf(target) + 1) * gutterWidth) / (targets.length + 1);
    return [
      ...own.map((line) => drawLine(line, laneOf(line.target))),
      ...targets.map((target) => drawHead(target, gutter)),
    ];
  }).flat();
}

/** At different heights: lines from neighboring tables would look like one. */
const leavesAt = ({ column, y }: Box): number => y + (column === 1 ? 28 : 19);
const reachesAt = ({ y }: Box): number => y + 10;
const sideOf = ({ column }: Box, gutter: number): number =>
  column === gutter ? leftOf(column) + frameWidth - padding : leftOf(column) + padding;

function drawLine({ source, target, gutter }: Line, lane: number): string {
  const [fromX, fromY, toX, toY] = [
    sideOf(source, gutter),
    leavesAt(source),
    sideOf(target, gutter),
    reachesAt(target),
  ];
  const radius = Math.min(cornerRadius, Math.abs(toY - fromY) / 2);
  const down = Math.sign(toY - fromY) * radius;
  return `<path d="M${fromX},${fromY} H${lane - Math.sign(lane - fromX) * radius} Q${lane},${fromY} ${lane},${fromY + down} V${toY - down} Q${lane},${toY} ${lane + Math.sign(toX - lane) * radius},${toY} H${toX}"/>`;
}

function drawHead(target: Box, gutter: number): string {
  const [x, y] = [sideOf(target, gutter), reachesAt(target)];
  const back = target.column === gutter ? 7 : -7;
  return `<path d="M${x + back},${y - 4} L${x},${y} L${x + back},${y + 4}"/>`;
}
