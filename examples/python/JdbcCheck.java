import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** De-identified notes by JDBC from `plainsight serve`: tables, a query, a prepared statement, and what is refused. */
public class JdbcCheck {
    public static void main(String[] arguments) throws SQLException {
        Properties login = new Properties();
        login.put("user", System.getenv("PLAINSIGHT_USER"));
        login.put("password", System.getenv("PLAINSIGHT_PASSWORD"));
        try (Connection connection = DriverManager.getConnection(arguments[0], login)) {
            try (ResultSet tables = connection.getMetaData().getTables(null, null, "%", null)) {
                while (tables.next()) {
                    System.out.println("table " + tables.getString("TABLE_NAME") + " " + tables.getString("TABLE_TYPE"));
                }
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT count(*) AS notes, min(text) AS text FROM notes")) {
                rows.next();
                System.out.println("notes " + rows.getLong("notes") + " " + (rows.getString("text").length() > 0));
            }
            try (PreparedStatement statement = connection.prepareStatement("SELECT note_id, note_datetime FROM notes LIMIT 3")) {
                for (int time = 0; time < 2; time++) {
                    try (ResultSet rows = statement.executeQuery()) {
                        int count = 0;
                        while (rows.next()) {
                            count += rows.getString("note_id").length() > 0 && rows.getTimestamp("note_datetime") != null ? 1 : 0;
                        }
                        System.out.println("prepared " + count);
                    }
                }
            }
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery("SELECT shift_date(DATE '2020-01-01', 'P1')");
                System.out.println("NOT REFUSED");
            } catch (SQLException refused) {
                System.out.println("refused");
            }
        }
    }
}
