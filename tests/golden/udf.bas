Attribute VB_Name = "tokensheet_udfs"
' The functions in cells, written from the registry; changes here are lost.
#Const App = "Microsoft Excel"
Function ACTIVATION_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ACTIVATION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_BYTES", Array(model, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        ACTIVATION_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ACTIVATION_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    ACTIVATION_BYTES = TS_FAILED(Err.Description)
End Function

Function ADAPTER_BYTES(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ADAPTER_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_BYTES", Array(model, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        ADAPTER_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ADAPTER_BYTES", Array(model, options)))
        Exit Function
    #End If
failed:
    ADAPTER_BYTES = TS_FAILED(Err.Description)
End Function

Function API_TOKENS_PER_DOLLAR(price, Optional per_tokens)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        API_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_TOKENS_PER_DOLLAR", Array(price, per_tokens), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        API_TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "API_TOKENS_PER_DOLLAR", Array(price, per_tokens)))
        Exit Function
    #End If
failed:
    API_TOKENS_PER_DOLLAR = TS_FAILED(Err.Description)
End Function

Function ATTENTION_PAIRS(prompt, Optional cached_prefix)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        ATTENTION_PAIRS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ATTENTION_PAIRS", Array(prompt, cached_prefix), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        ATTENTION_PAIRS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "ATTENTION_PAIRS", Array(prompt, cached_prefix)))
        Exit Function
    #End If
failed:
    ATTENTION_PAIRS = TS_FAILED(Err.Description)
End Function

Function COMM_RIDGE(gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COMM_RIDGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_RIDGE", Array(gpu, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        COMM_RIDGE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COMM_RIDGE", Array(gpu, options)))
        Exit Function
    #End If
failed:
    COMM_RIDGE = TS_FAILED(Err.Description)
End Function

Function COST_PER_HOUR(gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        COST_PER_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_HOUR", Array(gpu, gpus, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        COST_PER_HOUR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "COST_PER_HOUR", Array(gpu, gpus, options)))
        Exit Function
    #End If
failed:
    COST_PER_HOUR = TS_FAILED(Err.Description)
End Function

Function DECODE_COMPUTE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_COMPUTE_TIME", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        DECODE_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_COMPUTE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_COMPUTE_TIME = TS_FAILED(Err.Description)
End Function

Function DECODE_LATENCY(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        DECODE_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_LATENCY", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_LATENCY = TS_FAILED(Err.Description)
End Function

Function DECODE_MEMORY_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_MEMORY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_MEMORY_TIME", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        DECODE_MEMORY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_MEMORY_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_MEMORY_TIME = TS_FAILED(Err.Description)
End Function

Function DECODE_STAGE_TIME(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        DECODE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        DECODE_STAGE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "DECODE_STAGE_TIME", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    DECODE_STAGE_TIME = TS_FAILED(Err.Description)
End Function

Function EXPERTS_TOUCHED(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPERTS_TOUCHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERTS_TOUCHED", Array(model, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        EXPERTS_TOUCHED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPERTS_TOUCHED", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    EXPERTS_TOUCHED = TS_FAILED(Err.Description)
End Function

Function EXPLAIN(the_function, ParamArray arguments())
    Dim argsArray() As Variant
    argsArray = Array(the_function)
    ReDim Preserve argsArray(0 to UBound(arguments) - LBound(arguments) + 1)
    For k = LBound(arguments) To UBound(arguments)
    argsArray(1 + k - LBound(arguments)) = arguments(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        EXPLAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPLAIN", argsArray, ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        EXPLAIN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "EXPLAIN", argsArray))
        Exit Function
    #End If
failed:
    EXPLAIN = TS_FAILED(Err.Description)
End Function

Function FITS(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FITS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FITS", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        FITS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FITS", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    FITS = TS_FAILED(Err.Description)
End Function

Function FLOPS_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLOPS_PER_TOKEN", Array(model, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "FLOPS_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    FLOPS_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function GPUS_NEEDED(model, gpu, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        GPUS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_NEEDED", Array(model, gpu, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        GPUS_NEEDED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "GPUS_NEEDED", Array(model, gpu, context, batch, options)))
        Exit Function
    #End If
failed:
    GPUS_NEEDED = TS_FAILED(Err.Description)
End Function

Function IMAGE_TOKENS(image_width, image_height, patch_size, Optional patch_merge)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        IMAGE_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IMAGE_TOKENS", Array(image_width, image_height, patch_size, patch_merge), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        IMAGE_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "IMAGE_TOKENS", Array(image_width, image_height, patch_size, patch_merge)))
        Exit Function
    #End If
failed:
    IMAGE_TOKENS = TS_FAILED(Err.Description)
End Function

Function KV_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES", Array(model, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    KV_BYTES = TS_FAILED(Err.Description)
End Function

Function KV_BYTES_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_BYTES_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES_PER_TOKEN", Array(model, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_BYTES_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_BYTES_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    KV_BYTES_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function KV_CAPACITY_TOKENS(model, gpu, gpus, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CAPACITY_TOKENS", Array(model, gpu, gpus, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_CAPACITY_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CAPACITY_TOKENS", Array(model, gpu, gpus, options)))
        Exit Function
    #End If
failed:
    KV_CAPACITY_TOKENS = TS_FAILED(Err.Description)
End Function

Function KV_CROSSOVER_BATCH(model, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_CROSSOVER_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CROSSOVER_BATCH", Array(model, context, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_CROSSOVER_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_CROSSOVER_BATCH", Array(model, context, options)))
        Exit Function
    #End If
failed:
    KV_CROSSOVER_BATCH = TS_FAILED(Err.Description)
End Function

Function KV_FLOPS_PER_TOKEN(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_PER_TOKEN", Array(model, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_FLOPS_PER_TOKEN = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_PER_TOKEN", Array(model, options)))
        Exit Function
    #End If
failed:
    KV_FLOPS_PER_TOKEN = TS_FAILED(Err.Description)
End Function

Function KV_FLOPS_SAVED(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        KV_FLOPS_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_SAVED", Array(model, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        KV_FLOPS_SAVED = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "KV_FLOPS_SAVED", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    KV_FLOPS_SAVED = TS_FAILED(Err.Description)
End Function

Function MATMUL_TIME(m, the_k, n, gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MATMUL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_TIME", Array(m, the_k, n, gpu, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        MATMUL_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MATMUL_TIME", Array(m, the_k, n, gpu, options)))
        Exit Function
    #End If
failed:
    MATMUL_TIME = TS_FAILED(Err.Description)
End Function

Function MAX_BATCH(model, gpu, gpus, context, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_BATCH", Array(model, gpu, gpus, context, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        MAX_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_BATCH", Array(model, gpu, gpus, context, options)))
        Exit Function
    #End If
failed:
    MAX_BATCH = TS_FAILED(Err.Description)
End Function

Function MAX_CONTEXT(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MAX_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_CONTEXT", Array(model, gpu, gpus, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        MAX_CONTEXT = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MAX_CONTEXT", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    MAX_CONTEXT = TS_FAILED(Err.Description)
End Function

Function MEMORY_BYTES(model, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BYTES", Array(model, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        MEMORY_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_BYTES", Array(model, context, batch, options)))
        Exit Function
    #End If
failed:
    MEMORY_BYTES = TS_FAILED(Err.Description)
End Function

Function MEMORY_PER_DEVICE(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        MEMORY_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_PER_DEVICE", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        MEMORY_PER_DEVICE = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "MEMORY_PER_DEVICE", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    MEMORY_PER_DEVICE = TS_FAILED(Err.Description)
End Function

Function PP_COMM_BYTES(model, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_BYTES", Array(model, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        PP_COMM_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_BYTES", Array(model, batch, options)))
        Exit Function
    #End If
failed:
    PP_COMM_BYTES = TS_FAILED(Err.Description)
End Function

Function PP_COMM_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_TIME", Array(model, gpu, gpus, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        PP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PP_COMM_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    PP_COMM_TIME = TS_FAILED(Err.Description)
End Function

Function PREFILL_ATTENTION_FLOPS(model, prompt, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_ATTENTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_ATTENTION_FLOPS", Array(model, prompt, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        PREFILL_ATTENTION_FLOPS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_ATTENTION_FLOPS", Array(model, prompt, options)))
        Exit Function
    #End If
failed:
    PREFILL_ATTENTION_FLOPS = TS_FAILED(Err.Description)
End Function

Function PREFILL_COMPUTE_TIME(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_COMPUTE_TIME", Array(model, gpu, gpus, prompt, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        PREFILL_COMPUTE_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_COMPUTE_TIME", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_COMPUTE_TIME = TS_FAILED(Err.Description)
End Function

Function PREFILL_LATENCY(model, gpu, gpus, prompt, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY", Array(model, gpu, gpus, prompt, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        PREFILL_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "PREFILL_LATENCY", Array(model, gpu, gpus, prompt, batch, options)))
        Exit Function
    #End If
failed:
    PREFILL_LATENCY = TS_FAILED(Err.Description)
End Function

Function REQUEST_LATENCY(model, gpu, gpus, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        REQUEST_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY", Array(model, gpu, gpus, prompt, output, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        REQUEST_LATENCY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "REQUEST_LATENCY", Array(model, gpu, gpus, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    REQUEST_LATENCY = TS_FAILED(Err.Description)
End Function

Function RIDGE_BATCH(gpu, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        RIDGE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RIDGE_BATCH", Array(gpu, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        RIDGE_BATCH = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "RIDGE_BATCH", Array(gpu, options)))
        Exit Function
    #End If
failed:
    RIDGE_BATCH = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_DOLLAR(model, gpu, gpus, cost_per_hour, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_DOLLAR = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_DOLLAR", Array(model, gpu, gpus, cost_per_hour, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_DOLLAR = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND = TS_FAILED(Err.Description)
End Function

Function TOKENS_PER_SECOND_PER_USER(model, gpu, gpus, context, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TOKENS_PER_SECOND_PER_USER = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER", Array(model, gpu, gpus, context, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TOKENS_PER_SECOND_PER_USER = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TOKENS_PER_SECOND_PER_USER", Array(model, gpu, gpus, context, batch, options)))
        Exit Function
    #End If
failed:
    TOKENS_PER_SECOND_PER_USER = TS_FAILED(Err.Description)
End Function

Function TP_COMM_LATENCY_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_LATENCY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_LATENCY_TIME", Array(model, gpu, gpus, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TP_COMM_LATENCY_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_LATENCY_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_LATENCY_TIME = TS_FAILED(Err.Description)
End Function

Function TP_COMM_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TIME", Array(model, gpu, gpus, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TP_COMM_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_TIME = TS_FAILED(Err.Description)
End Function

Function TP_COMM_TRANSFER_TIME(model, gpu, gpus, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TP_COMM_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TRANSFER_TIME", Array(model, gpu, gpus, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TP_COMM_TRANSFER_TIME = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TP_COMM_TRANSFER_TIME", Array(model, gpu, gpus, batch, options)))
        Exit Function
    #End If
failed:
    TP_COMM_TRANSFER_TIME = TS_FAILED(Err.Description)
End Function

Function TS_LIST(kind)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_LIST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_LIST", Array(kind), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TS_LIST = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_LIST", Array(kind)))
        Exit Function
    #End If
failed:
    TS_LIST = TS_FAILED(Err.Description)
End Function

Function TS_OPTIONS(the_name, ParamArray value())
    Dim argsArray() As Variant
    argsArray = Array(the_name)
    ReDim Preserve argsArray(0 to UBound(value) - LBound(value) + 1)
    For k = LBound(value) To UBound(value)
    argsArray(1 + k - LBound(value)) = value(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_OPTIONS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_OPTIONS", argsArray, ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TS_OPTIONS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_OPTIONS", argsArray))
        Exit Function
    #End If
failed:
    TS_OPTIONS = TS_FAILED(Err.Description)
End Function

Function TS_SPEC(id, field, Optional what)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_SPEC = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_SPEC", Array(id, field, what), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TS_SPEC = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_SPEC", Array(id, field, what)))
        Exit Function
    #End If
failed:
    TS_SPEC = TS_FAILED(Err.Description)
End Function

Function TS_VERSION()
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        TS_VERSION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_VERSION", Array(), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        TS_VERSION = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "TS_VERSION", Array()))
        Exit Function
    #End If
failed:
    TS_VERSION = TS_FAILED(Err.Description)
End Function

Function USD_PER_MILLION_TOKENS(model, gpu, gpus, cost_per_hour, prompt, output, Optional batch, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        USD_PER_MILLION_TOKENS = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "USD_PER_MILLION_TOKENS", Array(model, gpu, gpus, cost_per_hour, prompt, output, batch, options)))
        Exit Function
    #End If
failed:
    USD_PER_MILLION_TOKENS = TS_FAILED(Err.Description)
End Function

Function WEIGHT_BYTES(model, Optional options)
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WEIGHT_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHT_BYTES", Array(model, options), ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        WEIGHT_BYTES = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WEIGHT_BYTES", Array(model, options)))
        Exit Function
    #End If
failed:
    WEIGHT_BYTES = TS_FAILED(Err.Description)
End Function

Function WHY(the_function, ParamArray arguments())
    If TS_ASKED(the_function, UBound(arguments)) Then WHY = TS_REASON(the_function): Exit Function
    Dim argsArray() As Variant
    argsArray = Array(the_function)
    ReDim Preserve argsArray(0 to UBound(arguments) - LBound(arguments) + 1)
    For k = LBound(arguments) To UBound(arguments)
    argsArray(1 + k - LBound(arguments)) = arguments(k)
    Next k
    #If App = "Microsoft Excel" Then
        If TypeOf Application.Caller Is Range Then On Error GoTo failed
        WHY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHY", argsArray, ActiveWorkbook, Application.Caller))
        Exit Function
    #Else
        WHY = TS_RESULT(XLPy.CallUDF("tokensheet.udf.functions", "WHY", argsArray))
        Exit Function
    #End If
failed:
    WHY = TS_FAILED(Err.Description)
End Function

