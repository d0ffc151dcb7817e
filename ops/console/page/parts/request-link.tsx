import { chosenHost, isOffered, linkTo } from './navigation.js';

/** A request, from what has its correlation id. */
export const RequestLink = ({ id }: { readonly id: string }) =>
  isOffered('requests') ? (
    <a href={linkTo('requests', '', chosenHost.value, { q: id })}>
      <code>{id}</code>
    </a>
  ) : (
    <code>{id}</code>
  );
