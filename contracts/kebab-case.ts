/** The maximum length of the name of a reaction, process, schedule or decider. */
export const maxNameLength = 64;

/** That of a perspective names tables: with prefix and hash they stay below PostgreSQL's limit of 63 characters. */
export const maxPerspectiveName = 40;

/** Whether a text is a name such as `reserve-stock`. */
export const isKebabCase = (name: unknown, maxLength = maxNameLength): name is string =>
  typeof name === 'string' && name.length <= maxLength && /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name);
