import type { Entity, EntityDetails } from '../entities/shown.ts';
import type { Message } from '../protocol.ts';
import { useWorkspace } from './workspace.ts';

/** What a message is about, each to be opened: then what the app shows the viewer of it stands there. */
export function Entities({ message }: { readonly message: Message }) {
  const { directory, act } = useWorkspace();
  const { entities = [], channel, ts } = message;
  return entities.map((entity) => {
    const details = directory.details[entity.id];
    return (
      <section key={entity.id} aria-label={entity.title}>
        <EntityCard entity={details?.state === 'shown' ? details.entity : entity} />
        {details && <Besides details={details} />}
        <button
          type="button"
          className="button"
          onClick={() => void act({ act: 'open_entity', channel, ts, entity: entity.id })}
        >
          Open {entity.title}
        </button>
      </section>
    );
  });
}

function EntityCard({ entity: { title, url, fields } }: { readonly entity: Entity }) {
  return (
    <>
      <a href={url} target="_blank" rel="noreferrer">
        {title}
      </a>
      {Object.entries(fields).map(([label, value]) => (
        <p key={label}>
          {label}: {value}
        </p>
      ))}
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
