UPDATE core.stock SET checked = true WHERE sold > 0;
