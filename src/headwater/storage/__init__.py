"""Files on a disk, in an object store or on HDFS, behind one interface.

`open_storage` picks the implementation by the scheme of a URI:

    no scheme, file:, dbfs:, /Volumes/…     disk.py           the operating system
    s3:, s3a:, gs:, abfss:, az:             object_store.py   obstore
    hdfs: and every other scheme            hadoop.py         Hadoop's Java client, as Spark brings it

Nothing here knows what the files hold.
"""

from headwater.storage.interface import Storage, StorageError, StoredFile
from headwater.storage.opening import open_storage
from headwater.storage.uri import is_uri, local_path, spark_uri

__all__ = ["Storage", "StorageError", "StoredFile", "is_uri", "local_path", "open_storage", "spark_uri"]
