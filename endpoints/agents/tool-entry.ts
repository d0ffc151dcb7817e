/** A JSON Schema. */
export type ToolSchema = Readonly<Record<string, unknown>>;

/** A tool as agents see it: constants of the build, nothing is computed from data. */
export interface ToolDocument {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ToolSchema;
  readonly outputSchema: ToolSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: true;
    readonly openWorldHint: boolean;
  };
}

/** A tool that sends a command. */
interface CommandTool {
  readonly command: string;
  /** Calls of one caller on one host. */
  readonly perMinute: number;
  /** What a person needs who must agree first. */
  readonly approval?: string;
  readonly tool: ToolDocument;
}

/** A tool that reads a perspective, found by its name in GraphQL: its rows, or one of them. */
interface ReadTool {
  readonly list?: string;
  readonly one?: string;
  readonly tool: ToolDocument;
}

/** A tool that says what has become of an approval. */
interface ApprovalTool {
  readonly approvals: true;
  readonly tool: ToolDocument;
}

/** An element of `generated/tools.json`. */
export type ToolEntry = CommandTool | ReadTool | ApprovalTool;

/** A schema that says this has a value that agents never see. */
export const isHidden = (schema: ToolSchema): boolean => schema['const'] === '[redacted]';
