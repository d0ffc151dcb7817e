/** What an agent asks a person to agree to. */
export interface WaitingApproval {
  readonly approvalId: string;
  readonly command: string;
  readonly arguments: unknown;
  readonly fingerprint: string;
  readonly askedBy: string;
  readonly agent: string;
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** The page of them that `GET /approvals` answers. */
export interface WaitingApprovals {
  readonly data: readonly WaitingApproval[];
  readonly totalCount: number;
}
