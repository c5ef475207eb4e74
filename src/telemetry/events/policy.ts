import { event } from './event.ts';

export const policyRefused = event('policy_refused', {
  level: 'error',
  says: 'The policy file was reloaded and not accepted',
  fields: ['problems'],
  means: 'It has mistakes. The policy before stays in force.',
  action: 'Mend the lines that are named. `appliance-bot policy check` says the same.',
});

export const policySame = event('policy_unchanged', {
  level: 'info',
  says: 'The policy file was reloaded without a change',
  means: 'Nothing changes.',
});

export const policyTaken = event('policy_changed', {
  level: 'info',
  says: 'The policy file was reloaded and accepted',
  fields: ['policy', 'changes'],
  means: 'It is in force from now on.',
});

export const noAdmin = event('no_admin', {
  level: 'warn',
  says: 'No admin could be told; only the log says it now',
  means: 'The policy gives nobody the role admin, or its user group is empty.',
  action: 'Give somebody the role admin.',
});

export const policiesDiffer = event('policies_differ', {
  level: 'warn',
  says: 'Replicas decide by different policies',
  fields: ['policies'],
  means: 'The same line may be allowed at one and refused at another.',
  action: 'Give all replicas the same policy file.',
});

export const policiesAgree = event('policies_agree', {
  level: 'info',
  says: 'All replicas decide by the same policy again',
  means: 'Nothing has to be done.',
});
