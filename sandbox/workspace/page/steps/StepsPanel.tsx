import type { Step, StepRun } from '../../functions/step.ts';
import { Panel } from '../steering/Panel.tsx';
import { StepForm } from './StepForm.tsx';

interface Props {
  readonly steps: readonly Step[];
  readonly runs: readonly StepRun[];
  readonly onClose: () => void;
}

/** The steps that the app offers to workflows: run one, and see what becomes of it. */
export function StepsPanel({ steps, runs, onClose }: Props) {
  return (
    <Panel title="Steps" topic="of workflows" onClose={onClose}>
      <StepForm steps={steps} />
      <section className="panel-part" aria-label="Steps that you ran">
        <h3>Steps that you ran</h3>
        {runs.length === 0 && <p className="panel-hint">None so far.</p>}
        <ul aria-live="polite">
          {runs.toReversed().map((run) => (
            <li key={run.function_execution_id}>
              <b>{steps.find(({ callback_id }) => callback_id === run.callback_id)?.title}</b>{' '}
              <code>{JSON.stringify(run.inputs)}</code>
              <p className="panel-hint">{stateOf(run)}</p>
            </li>
          ))}
        </ul>
      </section>
    </Panel>
  );
}

function stateOf(run: StepRun): string {
  if (run.state === 'running') return 'Running…';
  return run.state === 'failed' ? `Failed: ${run.error}` : `Completed: ${JSON.stringify(run.outputs)}`;
}
