/** The steps of workflows, as the server and the page speak of them (see ../protocol.ts). */

/** A step's input or output, as its manifest declares it. */
export interface StepParameter {
  /** Such as `string` or `slack#/types/user_id`. */
  readonly type: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly is_required: boolean;
}

/** A step that the app offers to those who build workflows. */
export interface Step {
  readonly callback_id: string;
  readonly title: string;
  readonly description: string;
  readonly input_parameters: readonly StepParameter[];
  readonly output_parameters: readonly StepParameter[];
}

/** A step in a workflow that the viewer started, and what became of it. */
export type StepRun = {
  readonly function_execution_id: string;
  readonly callback_id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
} & (
  | { readonly state: 'running' }
  | { readonly state: 'completed'; readonly outputs: Readonly<Record<string, unknown>> }
  | { readonly state: 'failed'; readonly error: string }
);
