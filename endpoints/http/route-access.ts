/** The access settings in a route's `config`. */
export interface RouteAccess {
  /** The route accepts tokens and controls its own access. */
  readonly checksAccess?: boolean;
  readonly isProbe?: boolean;
}
