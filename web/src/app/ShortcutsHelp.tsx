/** The keys, in a window. */

import { Group, Kbd, Modal, Table, Text, Title } from '@mantine/core'
import { DIAGRAM_SHORTCUTS, SHORTCUTS } from './shortcuts'

type Shortcut = { keys: readonly string[]; does: string }

function Keys({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <>
      <Title order={3} size="h5" mt="md" mb="xs">
        {title}
      </Title>
      <Table withRowBorders={false} verticalSpacing={4}>
        <Table.Tbody>
          {shortcuts.map(({ keys, does }) => (
            <Table.Tr key={does}>
              <Table.Td>
                <Group gap={4}>
                  {keys.map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
              <Table.Td>
                <Text size="sm">{does}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}

export function ShortcutsHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keys"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="shortcuts"
    >
      <Keys title="Everywhere" shortcuts={SHORTCUTS} />
      <Keys title="In a diagram" shortcuts={DIAGRAM_SHORTCUTS} />
    </Modal>
  )
}
