import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import type { Json, Long, Timestamp, Uuid } from '../../contracts/scalars.js';

/** Who has asked, as their credentials say it: what the stores of roles and keys grant is looked up again. */
export interface Asker {
  readonly source: string;
  readonly scope: PerspectiveScope;
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  readonly displayName?: string;
}

/** What an agent asks a person to agree to. */
export class AskApproval extends Command {
  /** The name of the command. */
  command!: string;
  arguments!: Json;
  /** As it is named in audits. */
  agent!: string;
}

/** What the tool answers. */
export interface AskedApproval {
  readonly approvalId: Uuid;
  readonly expiresAt: Timestamp;
}

/** Agrees to what an agent has asked for, or refuses it. */
export class DecideApproval extends Command {
  approvalId!: Uuid;
  /** Of what was shown to the person. */
  fingerprint!: string;
  agree!: boolean;
  note?: string;
}

export interface DecideApprovalResult {
  readonly approvalId: Uuid;
  readonly status: 'agreed' | 'refused';
}

/** Carries out what was agreed to, or closes what nobody has decided in time. */
export class EndApproval extends Command {
  approvalId!: Uuid;
  /** Whether the process has seen that a person agrees: a decision that it passed, because it was imported, is none. */
  agreed!: boolean;
}

export class ApprovalAsked extends Event {
  approvalId!: Uuid;
  command!: string;
  arguments!: Json;
  fingerprint!: string;
  asker!: Asker;
  agent!: string;
  expiresAt!: Timestamp;
  withinMs!: Long;
}

export class ApprovalDecided extends Event {
  approvalId!: Uuid;
  fingerprint!: string;
  agree!: boolean;
  /** The user who has decided. */
  by!: string;
  note?: string;
}

export class ApprovalEnded extends Event {
  approvalId!: Uuid;
  outcome!: 'done' | 'failed' | 'expired';
  /** What the command has returned. */
  result?: Json;
  /** Why it was refused. */
  problem?: { readonly code: string; readonly title: string };
}

CommandEndpoint<AskApproval, AskedApproval>({ permission: 'authenticated' })(AskApproval);
CommandEndpoint<DecideApproval, DecideApprovalResult>({
  restRoute: '/approvals/decide',
  graphQLMutation: 'decideApproval',
  permission: 'authenticated',
})(DecideApproval);
