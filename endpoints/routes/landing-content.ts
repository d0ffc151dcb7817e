/** A page of the host. */
export interface PageLink {
  readonly path: string;
  readonly name: string;
  readonly about: string;
}

/** What the service can do. */
export interface Offer {
  readonly commands: readonly OfferedCommand[];
  readonly perspectives: readonly OfferedPerspective[];
}

interface OfferedCommand {
  readonly name: string;
  readonly restRoute: string | null;
  readonly graphQLMutation: string | null;
}

interface OfferedPerspective {
  readonly path: string;
  readonly isLive: boolean;
}

/** The inside of the landing page. URLs are relative, for a proxy with a prefix. */
export const landingContent = (title: string, links: readonly PageLink[], offer: Offer | undefined): string =>
  [
    `<h1>${textOf(title)}</h1>`,
    '<p>The service is running. This page is shown in development only.</p>',
    `<ul>${links.map(linkItem).join('')}</ul>`,
    ...(offer === undefined ? [] : [commandsTable(offer), perspectivesTable(offer)]),
  ].join('');

const linkItem = ({ path, name, about }: PageLink): string =>
  `<li><a href=".${path}">${name}<small>${about}</small></a></li>`;

function commandsTable({ commands }: Offer): string {
  if (commands.length === 0) return '';
  const rows = commands.map(({ name, restRoute, graphQLMutation }) => [
    restRoute === null ? textOf(name) : `<a href="./docs#${textOf(operationIdOf(name))}">${textOf(name)}</a>`,
    restRoute === null ? '' : `<code>POST ${textOf(restRoute)}</code>`,
    graphQLMutation === null ? '' : `<code>${textOf(graphQLMutation)}</code>`,
  ]);
  return table('Commands', ['Command', 'Route', 'Mutation'], rows);
}

function perspectivesTable({ perspectives }: Offer): string {
  if (perspectives.length === 0) return '';
  const rows = perspectives.map(({ path, isLive }) => [
    `<a href=".${textOf(path)}"><code>GET ${textOf(path)}</code></a>`,
    isLive ? `<code>GET ${textOf(path)}/live</code>` : '',
  ]);
  return table('Perspectives', ['Rows', 'Changes'], rows);
}

function table(title: string, names: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = names.map((name) => `<th scope="col">${name}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('');
  return `<h2>${title}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** As the OpenAPI document names the operation of a command. */
const operationIdOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const textOf = (value: string): string => value.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
