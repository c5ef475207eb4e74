import { endWithParent } from '../src/process/parent.ts';
import { runSandbox } from './run.ts';

endWithParent(process.env);

const code = await runSandbox(process.argv.slice(2), {
  environment: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
if (code !== undefined) process.exitCode = code;
