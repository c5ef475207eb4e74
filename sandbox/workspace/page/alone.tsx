import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';

/** The page of a workspace with nothing beside it. */
const root = document.getElementById('root');
if (root) createRoot(root).render(<App />);
