/** Which pages of other sites may use the service. */
export interface CorsOptions {
  /** Such as `https://shop.example`; `*`: every site. */
  readonly origins: readonly string[];
  /** Whether browsers may send cookies; for an authenticator that reads them. */
  readonly credentials?: boolean;
}
