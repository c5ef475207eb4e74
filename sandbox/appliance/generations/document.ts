import { asJson, asPage, asText, loginPage } from '../sent.ts';
import { type Generation, isGateway } from './generation.ts';

/** Listens and speaks as appliance-api.md says. */
export const documented: Generation = {
  methodOf: ({ method }) => method,
  gate: ({ operation, path, headers, key }) =>
    operation === undefined || key === undefined || !isGateway(path) || headers['x-auth-token'] === key
      ? undefined
      : asText(403, 'Forbidden\n'),
  nowhere: ({ path }) => (path === '/login' ? loginPage : asPage(404)),
  layers: {},
  send: asJson,
};
