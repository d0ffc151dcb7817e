import type { FlagRules } from '../../contracts/flags.js';

const maxNames = 5;

/** For whom a flag is on, in words: `on for 25 % of users, on for tenant acme, off for user bob`. */
export function describeFlag({ on, percent, tenants, users }: FlagRules): string {
  const others = percent === undefined ? (on ? 'on' : 'off') : `on for ${percent} % of users`;
  return [others, ...namedIn(tenants, 'tenant'), ...namedIn(users, 'user')].join(', ');
}

const namedIn = (rules: FlagRules['tenants'], kind: string): readonly string[] =>
  [true, false].flatMap((isOn) => {
    const ids = Object.keys(rules).filter((id) => rules[id] === isOn);
    if (ids.length === 0) return [];
    const more = ids.length > maxNames ? ` and ${ids.length - maxNames} more` : '';
    const plural = ids.length === 1 ? '' : 's';
    return [`${isOn ? 'on' : 'off'} for ${kind}${plural} ${ids.slice(0, maxNames).join(' and ')}${more}`];
  });
