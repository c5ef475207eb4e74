import type { Entity, EntityDetails } from '../entities/shown.ts';
import type { Message } from '../protocol.ts';
import { Text } from './blocks/Text.tsx';
import { useWorkspace } from './workspace.ts';

/** The entities of a message. Opening one shows the app's details for the viewer. */
export function Entities({ message }: { readonly message: Message }) {
  const { directory, act } = useWorkspace();
  const { entities = [], channel, ts } = message;
  return entities.map((entity) => {
    const details = directory.details[entity.id];
    const shown = details?.state === 'shown' ? details.entity : entity;
    const verb = details === undefined ? 'Open' : 'Refresh';
    const at = { act: 'open_entity', channel, ts, entity: entity.id } as const;
    return (
      <section key={entity.id} aria-label={entity.title} className="attachment entity">
        <EntityCard entity={shown} />
        {details && <Besides details={details} />}
        <div className="entity-buttons">
          <button
            type="button"
            className="button"
            aria-label={`${verb} ${entity.title}`}
            onClick={() => void act(at)}
          >
            {verb}
          </button>
          {shown.buttons?.map(({ text, action_id }) => (
            <button
              key={action_id}
              type="button"
              className="button"
              onClick={() => void act({ ...at, press: action_id })}
            >
              {text}
            </button>
          ))}
        </div>
      </section>
    );
  });
}

function EntityCard({ entity: { title, url, fields } }: { readonly entity: Entity }) {
  return (
    <>
      <div className="attachment-title">
        <a href={url} target="_blank" rel="noreferrer">
          {title}
        </a>
      </div>
      <dl className="entity-fields">
        {Object.entries(fields).map(([label, value]) => (
          <div
            key={label}
            className={value.length > 80 && !value.startsWith('<') ? 'entity-long' : undefined}
          >
            <dt>{label.replaceAll('_', ' ')}</dt>
            <dd>{/^<[@!]/.test(value) ? <Text of={{ type: 'mrkdwn', text: value }} /> : value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Besides({ details }: { readonly details: EntityDetails }) {
  switch (details.state) {
    case 'asked':
      return <p>Loading…</p>;
    case 'sign_in':
      return (
        <a href={details.url} target="_blank" rel="noreferrer">
          Sign in to see more
        </a>
      );
    case 'failed':
      return <p>{details.says ?? `This app responded with the error “${details.status}”`}</p>;
    case 'shown':
      return null;
  }
}
