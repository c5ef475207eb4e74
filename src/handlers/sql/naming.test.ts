import { expect, test } from 'vitest';
import { namingIn } from './naming.ts';

test.each([
  [{ 'Databases.0': 'statistics', 'Databases.1': 'crm' }, 'yes'],
  [{ Databases: 'quotas, crm' }, 'yes'],
  [{ 'Grants.0': 'GRANT ALL PRIVILEGES ON `crm`.* TO `bob`@`%`' }, 'yes'],
  [{ 'Databases.crm': 'Select' }, 'yes'],
  [{ Databases: '[]' }, 'unknown'],
  [{ Databases: '{}' }, 'unknown'],
  [{ 'Databases.0': 'crm_old' }, 'no'],
  [{ 'Privileges.Show_db_priv': 'Y' }, 'unknown'],
  [{ 'Privileges.User': 'crm' }, 'unknown'],
  [{}, 'unknown'],
] as const)('privileges %j name the database crm: %s', (fields, naming) => {
  expect(namingIn(fields, 'crm')).toBe(naming);
});
