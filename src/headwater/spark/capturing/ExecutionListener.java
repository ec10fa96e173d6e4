package headwater;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart;

/**
 * Tells a function of each execution that has succeeded, in any session of the application, and inside of which other one it ran.
 * Tells it of the end of the application, too, with no execution; Spark waits until the function returns.
 * Compiled by Janino, which Spark itself compiles its generated code with: so no jar is needed (see execution_listener.py).
 */
public class ExecutionListener extends SparkListener {
    private BiConsumer hear;
    /** The operator at the top of each execution that runs. */
    private final Map plans = new ConcurrentHashMap();
    /** The outermost execution of those that run inside another one. */
    private final Map roots = new ConcurrentHashMap();
    /** Of executions that save a table: the columns that they write. Inside a stream's batch, only these tell the write of its files. */
    private final Map saves = new ConcurrentHashMap();
    private static final String SAVE = "Execute CreateDataSourceTableAsSelectCommand";
    private static final String WRITE = "Execute InsertIntoHadoopFsRelationCommand";

    public void setHear(BiConsumer hear) {
        this.hear = hear;
    }

    public void onOtherEvent(SparkListenerEvent event) {
        if (event instanceof SparkListenerSQLExecutionStart) {
            started((SparkListenerSQLExecutionStart) event);
        } else if (event instanceof SparkListenerSQLExecutionEnd) {
            ended((SparkListenerSQLExecutionEnd) event);
        }
    }

    public void onApplicationEnd(SparkListenerApplicationEnd event) {
        tell("", null);
    }

    private void started(SparkListenerSQLExecutionStart event) {
        Long id = Long.valueOf(event.executionId());
        String name = event.sparkPlanInfo().nodeName();
        plans.put(id, name);
        if (event.rootExecutionId().isDefined() && !id.equals(event.rootExecutionId().get())) {
            Object root = event.rootExecutionId().get();
            Object around = WRITE.equals(name) ? saving(root, columns(name, event.physicalPlanDescription())) : null;
            roots.put(id, around == null ? root : around);
            if (SAVE.equals(name)) {
                saves.put(id, columns(name, event.physicalPlanDescription()));
            }
        }
    }

    /** The execution with the same root that saves a table with these columns, if one runs. */
    private Object saving(Object root, String columns) {
        for (Object each : saves.keySet()) {
            if (!columns.isEmpty() && columns.equals(saves.get(each)) && root.equals(roots.get(each))) {
                return each;
            }
        }
        return null;
    }

    /** The columns at the end of a command's arguments in a plan's description: `Arguments: …, [id, amount]`. */
    private static String columns(String name, String description) {
        int command = description.lastIndexOf(name.substring("Execute ".length()));
        int from = description.indexOf("Arguments: ", Math.max(command, 0));
        String arguments = from < 0 ? "" : description.substring(from).split("\n", 2)[0];
        return arguments.substring(arguments.lastIndexOf('[') + 1);
    }

    private void ended(SparkListenerSQLExecutionEnd event) {
        Long id = Long.valueOf(event.executionId());
        plans.remove(id);
        saves.remove(id);
        Object root = roots.remove(id);
        Object around = root == null ? null : plans.get(root);
        if (event.qe() == null || event.executionName().isEmpty() || event.executionFailure().isDefined()) {
            return;
        }
        tell(event.executionName().get() + "\n" + (around == null ? "" : around), event.qe());
    }

    private void tell(String what, Object execution) {
        try {
            hear.accept(what, execution);
        } catch (RuntimeException ended) {
            // Python is gone: there is nobody to tell
        }
    }
}
